'use client'
import { useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import type { SignInAnswer } from './sign-in.ts'

/** Why sign-in failed, in a sentence. */
export function useErrorText(answer: SignInAnswer | undefined, isCode = false): string | undefined {
  const t = useTranslations('signIn')
  const span = useSpan()
  if (!answer || answer.kind === 'in' || answer.kind === 'code') return undefined
  if (answer.kind === 'failed') return t('failed')
  if (answer.kind === 'wrong' && isCode) return t('wrongCode')
  if (answer.kind === 'wrong')
    return answer.triesLeft === undefined ? t('wrong') : t('wrongWithTries', { tries: answer.triesLeft })
  const { waitSeconds } = answer
  return waitSeconds < 60
    ? t('waitSeconds', { seconds: waitSeconds })
    : t('wait', { time: span(Math.ceil(waitSeconds / 60) * 60_000) })
}
