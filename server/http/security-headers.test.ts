import { expect, test } from 'vitest'
import { pagePolicy } from './security-headers.ts'

const policyOf = (mediaOrigins: string[]) =>
  Object.fromEntries(
    pagePolicy({ nonce: 'once', isProduction: true, mediaOrigins })
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule]),
  )

test('pictures and films load from the desk itself and from the configured sources', () => {
  expect(policyOf([])).toMatchObject({ 'img-src': "img-src 'self' data:", 'media-src': "media-src 'self'" })
  const rules = policyOf(['https://files.example.org', 'https://cdn.example.org:8443'])
  expect(rules['img-src']).toBe("img-src 'self' data: https://files.example.org https://cdn.example.org:8443")
  expect(rules['media-src']).toBe("media-src 'self' https://files.example.org https://cdn.example.org:8443")
})

test('naming picture sources allows nothing else', () => {
  const { 'img-src': _, 'media-src': __, ...others } = policyOf(['https://files.example.org'])
  expect(JSON.stringify(others)).not.toContain('example.org')
})
