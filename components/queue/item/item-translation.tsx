'use client'
import { useMutation } from '@tanstack/react-query'
import { Languages } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { isLanguage } from '#components/i18n/locale.ts'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import {
  TRANSLATED_LENGTH,
  TRANSLATIONS_A_MINUTE,
  type Translation,
} from '#server/modules/integrations/translations/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemInput } from '../state/queue-queries.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'

/** A button below the text that has it translated into the language of the desk, and the translation. Nothing is sent before it is pressed. */
export function ItemTranslation({ item }: { item: QueueItem }) {
  return <OfVersion key={item.version} item={item} />
}

function OfVersion({ item }: { item: QueueItem }) {
  const t = useTranslations('translation')
  const locale = useLocale()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const { view } = useQueueFilter().search
  const [isShown, setShown] = useState(false)
  const translating = useMutation(
    useTRPC().translations.item.mutationOptions({
      onSuccess: (answer) => announce('problem' in answer ? (failureOf({ answer }) ?? '') : t('done')),
      onError: (error) => announce(failureOf({ error }) ?? ''),
    }),
  )
  const { data: answer, error, isPending } = translating
  const isTranslated = answer !== undefined && !('problem' in answer)

  function toggle(): void {
    const [language = ''] = locale.split('-')
    if (isPending) return
    if (isTranslated) setShown(!isShown)
    else {
      setShown(true)
      const { subjectType, subjectId, version } = item
      const target = isLanguage(language) ? language : 'en'
      translating.mutate({ ...itemInput({ subjectType, subjectId }, view), version, target })
    }
  }
  useActs({ translate: toggle })

  const idle = isTranslated && isShown ? 'hide' : 'translate'
  const failure = isPending ? undefined : failureOf({ error, answer })
  return (
    <>
      {isTranslated && isShown && <Translated translation={answer} isFlagged={item.flagCount > 0} />}
      <div className="mt-1 flex flex-wrap items-center gap-2 text-small">
        <Button look="bare" size="small" className="-ms-2.5" aria-disabled={isPending} onPress={toggle}>
          <Languages />
          {t(isPending ? 'translating' : idle)}
          <ActKeycap act="translate" className="phone:hidden" />
        </Button>
        {failure && <span className="text-reject">{failure}</span>}
      </div>
    </>
  )
}

interface TranslatedProps {
  translation: Exclude<Translation, { problem: unknown }>
  isFlagged: boolean
}

/** Below the original, and marked as made by a machine. */
function Translated({ translation: { text, language, isPartial }, isFlagged }: TranslatedProps) {
  const t = useTranslations('translation')
  const locale = useLocale()
  return (
    <section aria-label={t('label')} className="mt-2 max-w-[56ch] border-s-2 border-line-strong ps-3">
      <p className="text-small text-ink-3">
        {t('by', { language: language === undefined ? 'none' : nameOf(language, locale) })}
        {isPartial && ` · ${t('partial', { count: TRANSLATED_LENGTH })}`}
      </p>
      <div
        dir="auto"
        lang={locale}
        className="font-member text-item wrap-anywhere whitespace-pre-wrap text-ink phone:text-[1.0625rem] phone:leading-[1.625rem]"
      >
        <CoveredText isFlagged={isFlagged}>
          <PlainText>{text}</PlainText>
        </CoveredText>
      </div>
    </section>
  )
}

/** The name of a language that the service detected; what no browser knows stays as the service names it. */
function nameOf(language: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(language) ?? language
  } catch {
    return language
  }
}

const OWN_WORDS = ['timeout', 'status', 'answer', 'key', 'busy', 'secret', 'off', 'empty'] as const

/** Why there is no translation, in a sentence; undefined if there is one, or none was asked for. */
function useFailure() {
  const t = useTranslations('translation')
  const errorMessageOf = useErrorMessage()
  return ({ error, answer }: { error?: unknown; answer?: Translation | undefined }): string | undefined => {
    if (error) {
      const { code } = toRequestError(error)
      if (code === 'TOO_MANY_REQUESTS') return t('limited', { count: TRANSLATIONS_A_MINUTE })
      return code === 'CONFLICT' ? t('changed') : errorMessageOf(error)
    }
    if (!answer || !('problem' in answer)) return undefined
    const { problem, status = 0 } = answer
    const own = OWN_WORDS.find((name) => name === problem)
    return t(`problems.${own ?? 'away'}`, { status: String(status) })
  }
}
