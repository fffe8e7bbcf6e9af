// Currencies by their three letters of ISO 4217: those in use, and a few that went out of use lately and stand in records.
const CODES = `
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF
CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD
HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL
MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF XSU XUA YER ZAR ZMW ZWG ZWL`;

const CURRENCIES: ReadonlySet<string> = new Set(CODES.trim().split(/\s/));

/** The currency of an organization that has not said its own. */
export const DEFAULT_CURRENCY = "USD";

/** Whether `code` is a currency's: three capital letters. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}
