// Media types of the files that are made here.

/** What is in a workbook, and what the parts of it begin with. */
export const SPREADSHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** A workbook. */
export const XLSX_TYPE = `${SPREADSHEET_TYPE}.sheet`;
