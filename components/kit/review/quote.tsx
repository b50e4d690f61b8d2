'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { Quoted } from '#server/modules/review/queue/schema.ts'
import { CoveredText } from '../wellness/covered-text.tsx'

/** Longer quotes are collapsed: the item is what is judged. */
const CUT_FROM_CHARACTERS = 480

/** Earlier text by a member, in the typeface for members' text. */
export function Quote({ quoted }: { quoted: Quoted }) {
  const t = useTranslations('queue')
  const [isWhole, setWhole] = useState(quoted.text.length <= CUT_FROM_CHARACTERS)
  if (quoted.isDeleted && quoted.text === '') return <p className="mt-[3px] text-ink-3">{t('deleted')}</p>

  return (
    <>
      <blockquote
        dir="auto"
        className={`mt-[3px] max-w-[60ch] font-member text-large wrap-anywhere whitespace-pre-wrap text-ink-2 ${isWhole ? '' : 'line-clamp-6'}`}
      >
        <CoveredText isFlagged={false}>
          <PlainText>{quoted.text}</PlainText>
        </CoveredText>
      </blockquote>
      {!isWhole && (
        <Button look="bare" size="small" className="-ms-2.5 mt-1" onPress={() => setWhole(true)}>
          {t('showWhole')}
        </Button>
      )}
    </>
  )
}
