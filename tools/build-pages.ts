import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import { CATALOGUE_FILES, CATALOGUE_FOLDER } from '#components/i18n/catalogue-files.ts'
import { bundledServerFiles } from './bundled-server-files.ts'
import { PURE_FILES } from './pure-files.ts'

/** Everything the pages are built from, besides the server's schemas: their own files, the libraries and the build configuration. */
const OWN_SOURCES = [
  '{app,components}/**/*',
  '{next,postcss}.config.mjs',
  'package-lock.json',
  'package.json',
  'tools/next-as-modules.mjs',
  'tsconfig.json',
]
const BUILT_FROM = '.next/built-from'
const DOT_EVERY_MS = 5_000
const ZOPFLI = { numiterations: 5 }

const sources = await digestOf([...(await filesOf(OWN_SOURCES)), ...(await pureFiles())])
if ((await readFile(BUILT_FROM, 'utf8').catch(() => '')) === sources) {
  console.log('The pages are up to date.')
} else {
  process.stdout.write('Building the pages … ')
  const startedAt = performance.now()
  await rm(BUILT_FROM, { force: true })
  await build()
  await writeFile(BUILT_FROM, sources)
  console.log(`done in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

/** Prints a dot every five seconds: on a slow machine it takes minutes. */
async function runNextBuild(): Promise<{ status: number | null; output: string }> {
  const building = spawn('next', ['build'], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const pieces: Buffer[] = []
  for (const stream of [building.stdout, building.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece))
  const dots = setInterval(() => process.stdout.write('. '), DOT_EVERY_MS)
  try {
    const [status] = await once(building, 'close')
    return { status, output: Buffer.concat(pieces).toString() }
  } finally {
    clearInterval(dots)
  }
}

async function build() {
  const { status, output } = await runNextBuild()
  if (status !== 0) fail(`failed:\n${output}`)

  const leaked = await bundledServerFiles('.next/server')
  if (leaked.length > 0)
    fail(`failed: server code reached the pages, by an import that should be "import type":\n${leaked.join('\n')}`)
  await writeCatalogues()
  await compressFiles(await filesOf(['.next/static/**/*.{js,css,json}']))
}

/** The messages of each language, which pages load. */
async function writeCatalogues(): Promise<void> {
  await mkdir(join('.next/static', CATALOGUE_FOLDER), { recursive: true })
  for (const { path, text } of Object.values(CATALOGUE_FILES)) await writeFile(path.replace('/_next/', '.next/'), text)
}

/** Compressed once, as small as each format allows, which would be too slow per request. */
async function compressFiles(paths: string[]): Promise<void> {
  const smaller = { br: promisify(brotliCompress), gz: (contents: Buffer) => gzipAsync(contents, ZOPFLI) }
  await Promise.all(
    paths.map(async (path) => {
      const contents = await readFile(path)
      for (const [ending, compress] of Object.entries(smaller))
        await writeFile(`${path}.${ending}`, await compress(contents))
    }),
  )
}

/** Contents, not times: a copy, a checkout or a container layer may have any timestamps. */
async function digestOf(paths: string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(path))
  return hash.digest('hex')
}

async function pureFiles(): Promise<string[]> {
  const pure = new RegExp(PURE_FILES)
  return (await filesOf(['server/**/*.ts'])).filter((path) => pure.test(path))
}

async function filesOf(patterns: string[]): Promise<string[]> {
  const entries = await Array.fromAsync(glob(patterns, { withFileTypes: true }))
  return entries.flatMap((entry) => (entry.isFile() ? [relative('.', join(entry.parentPath, entry.name))] : []))
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
