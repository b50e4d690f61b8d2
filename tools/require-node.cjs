// Plain JavaScript that any Node version can parse: it tells an old one what is wrong before that one fails on TypeScript.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Docket needs Node 22.18 or newer and this is ${process.versions.node}. Run "npm ci" without --ignore-scripts: it brings its own.`,
  )
  process.exit(1)
}
