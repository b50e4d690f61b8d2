import { domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUnicode } from '#server/core/links/to-unicode.ts'

test.each([
  ['xn--bcher-kva.example', 'bücher.example'],
  ['www.xn--fsqu00a.xn--0zwm56d', 'www.例子.测试'],
  ['xn--mgbh0fb.xn--kgbechtv', 'مثال.إختبار'],
  ['xn--ls8h.la', '💩.la'],
  ['evil.com', 'evil.com'],
])('%s is read as %s', (domain, written) => {
  expect(toUnicode(domain)).toBe(written)
})

test('reads any host of a URL as Node does', () => {
  const label = fc.string({ unit: fc.constantFrom(...'aZ09-äßéжשלا看かカ한ไ、・״💩'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const host = URL.parse(`http://${labels.join('.')}.com`)?.hostname
      const read = host === undefined ? '' : domainToUnicode(host)
      // Node reads some hosts that its own URL takes as nothing.
      if (host !== undefined && read !== '') expect(toUnicode(host)).toBe(read)
    }),
    { numRuns: 2_000 },
  )
})
