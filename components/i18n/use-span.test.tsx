import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, test } from 'vitest'
import { useLongSpan } from './use-span.ts'

const MINUTE_MS = 60_000

function Spoken({ minutes }: { minutes: number }) {
  return useLongSpan()(minutes * MINUTE_MS)
}

test.each([
  ['en-GB', 0, '0 minutes'],
  ['en-GB', 45, '45 minutes'],
  ['en-GB', 240, '4 hours'],
  ['en-GB', 98, '1 hour, 38 minutes'],
  ['en-GB', 128_566, '89 days'],
  ['de-DE', 128_566, '89 Tage'],
  ['ar-u-nu-latn', 128_566, '89 يومًا'],
] as const)('writes a duration in whole words: in %s, %d minutes are "%s"', (locale, minutes, words) => {
  const page = (
    <IntlProvider locale={locale} timeZone="UTC">
      <Spoken minutes={minutes} />
    </IntlProvider>
  )
  expect(renderToStaticMarkup(page)).toBe(words)
})
