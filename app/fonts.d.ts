/** A font import is the font's URL. */
declare module '*.woff2' {
  const address: string
  export default address
}
