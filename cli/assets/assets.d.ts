// Types of imported assets: a file's text.
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.service" {
  const text: string;
  export default text;
}
declare module "*/assets/Dockerfile" {
  const text: string;
  export default text;
}
declare module "*.yml" {
  const text: string;
  export default text;
}
