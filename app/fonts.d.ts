/** A font is imported as its address. */
declare module '*.woff2' {
  const address: string
  export default address
}
