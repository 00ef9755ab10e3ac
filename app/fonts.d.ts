// Importing a font file yields its address (the bundler's asset rule).
declare module "*.woff2" {
  const href: string;
  export default href;
}
