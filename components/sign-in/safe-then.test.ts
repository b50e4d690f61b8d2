import { expect, test } from 'vitest'
import { IS_STRESS } from '#server/testing/scaled.ts'
import { safeThen } from './safe-then.ts'

test.each([
  ['/queue?communityId=a&item=b#c', '/queue?communityId=a&item=b#c'],
  ['/users/a%2Fb', '/users/a%2Fb'],
  ['/users/%2e%2e/queue', '/queue'],
  ['/queue?then=//evil.example', '/queue?then=//evil.example'],
  ['/@evil.example', '/@evil.example'],
  ['/', '/'],
])('%j redirects to the path %j of this desk', (then, path) => {
  expect(safeThen(then)).toBe(path)
})

test.each([
  undefined,
  '',
  'queue',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//evil.example/',
  '///evil.example/',
  '/\\evil.example/',
  '\\\\evil.example/',
  '/\t/evil.example/',
  '/\n/evil.example/',
  '/\r\\evil.example/',
  '\t//evil.example/',
  ' //evil.example/',
  '/..//evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/x/..//evil.example',
  '/x/y/../..//evil.example',
  '/%2e%2e//evil.example',
  '/%2E%2e//evil.example',
  '/.%2e//evil.example',
  '/%2e//evil.example',
  '/x/%2e%2e/\\evil.example',
  '/..\\/evil.example',
  '/..//user:secret@evil.example',
  '//user@evil.example',
  '//desk.invalid@evil.example/',
  '//desk.invalid/queue/..//evil.example',
  '/%2f/evil.example',
  '/%5cevil.example',
  '/%2Fevil.example',
  '/x/../%2fevil.example',
  '/..//evil。example',
  '/..//ｅvil.example',
  '/..//[::1]/',
  '/..//evil.example:80?x#y',
  '//',
  '/..//',
  '//:bad',
])('%j redirects to the start page', (then) => {
  expect(safeThen(then)).toBe('/')
})

/** Fragments that URL resolution treats specially, combined in every order of up to four; of up to five in the long run. */
const PIECES = ['/', '\\', '.', '..', '%2e', '%2f', '%5c', '\t', '@', 'evil.example', '?', '#']

test('no combination of special pieces leads to another host', () => {
  const here = 'https://desk.example'
  let tried = 0
  const walk = (then: string, left: number): void => {
    tried += 1
    const path = safeThen(then)
    if (new URL(path, here).origin !== here || /^[/\\]{2}/.test(path)) expect.fail(`${then} leads to ${path}`)
    if (left > 0) for (const piece of PIECES) walk(`${then}${piece}`, left - 1)
  }
  walk('/', IS_STRESS ? 5 : 4)
  expect(tried).toBeGreaterThan(20_000)
})
