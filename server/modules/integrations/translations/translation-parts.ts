import type { TranslationMemory } from '#server/modules/integrations/translations/translation-memory.ts'

/** What a process knows about translation apart from its database. */
export interface TranslationParts {
  /** Seals the service's API key. */
  key: Buffer
  /** WEBHOOK_ALLOW_LOOPBACK */
  allowsLoopback: boolean
  /** TRANSLATION_URL and TRANSLATION_API_KEY, if they are set. */
  service: EnvironmentService | undefined
  memory: TranslationMemory
}

export interface EnvironmentService {
  url: string
  apiKey: string | undefined
}
