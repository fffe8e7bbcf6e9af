// What importing an asset gives: the path of a file inside the program, or a file's text.
declare module "*.gz" {
  const path: string;
  export default path;
}
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*/assets/docs.js" {
  const text: string;
  export default text;
}
