import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { keyFor } from '#server/core/secret.ts'
import { createTranslationMemory } from '#server/modules/integrations/translations/translation-memory.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { TEST_SECRET } from '#server/testing/ctx.ts'

/** Services of tests listen on loopback. */
export const testTranslations = (): TranslationParts => ({
  key: keyFor(TEST_SECRET, 'translation'),
  allowsLoopback: true,
  service: undefined,
  memory: createTranslationMemory(),
})

export interface AskedTranslation {
  path: string
  q: string
  source: string
  target: string
  format: string
  api_key?: string
}

/** How a stub answers: a status and a body, or not at all. */
type StubAnswer = { status?: number; body: unknown } | 'hangs'

const reversed = ({ q }: AskedTranslation): StubAnswer => ({
  body: { translatedText: [...q].reverse().join(''), detectedLanguage: { confidence: 90, language: 'fr' } },
})

/** LibreTranslate on loopback: it keeps what it was asked, and answers as configured; by default, the text backwards. */
export async function openTranslationStub() {
  const asked: AskedTranslation[] = []
  let answer: (asked: AskedTranslation) => StubAnswer | Promise<StubAnswer> = reversed
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const question = { path: request.url ?? '', ...JSON.parse(Buffer.concat(chunks).toString('utf8')) }
    asked.push(question)
    const answered = await answer(question)
    if (answered === 'hangs') return
    const { status = 200, body } = answered
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answerWith: (next: typeof answer = reversed) => {
      answer = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
