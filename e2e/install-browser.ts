import { spawnSync } from 'node:child_process'
import { findBrowser } from './browser.ts'

if (import.meta.main) installBrowser()

/** Ensures that a browser is installed before any test, so that a machine without one reports it once rather than once per test. */
export function installBrowser(): void {
  if (process.env.CHROMIUM_PATH) {
    if (!findBrowser()) fail(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, which is no program.`)
    return
  }
  const isRoot = process.getuid?.() === 0
  const ways = [
    { from: 'Playwright', command: `playwright install ${isRoot ? '--with-deps ' : ''}chromium` },
    ...(isRoot
      ? [
          {
            from: 'apt-get',
            command: 'apt-get update && apt-get install --yes --no-install-recommends chromium-headless-shell',
          },
        ]
      : []),
  ]
  for (const { from, command } of ways) {
    if (findBrowser()) return
    console.log(`There is no Chromium here: installing the one of ${from} …`)
    spawnSync(command, { shell: true, stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  if (!findBrowser()) fail('Chromium is needed and none could be installed: name one in CHROMIUM_PATH.')
}

function fail(line: string): never {
  console.error(line)
  process.exit(1)
}
