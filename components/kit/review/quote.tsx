'use client'
import { createContext, useContext, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { Quoted } from '#server/modules/review/items/schema.ts'
import { CoveredText } from '../wellness/covered-text.tsx'

/** About two lines. */
const BRIEF_UNTIL_CHARACTERS = 100

/** Asks for all of the texts around an item, of which only the beginnings are there. */
export const AskForWholeQuotes = createContext(() => {})

/**
 * Earlier text by a member, in the typeface for members' text. A brief one is no higher than two lines until the person asks for more.
 */
export function Quote({ quoted, isBrief = false }: { quoted: Quoted; isBrief?: boolean }) {
  const t = useTranslations('queue')
  const ui = useTranslations('ui')
  const askForWhole = useContext(AskForWholeQuotes)
  const [isWhole, setWhole] = useState(
    isBrief ? quoted.text.length <= BRIEF_UNTIL_CHARACTERS && !quoted.text.includes('\n') : !quoted.isCut,
  )
  const showWhole = () => {
    setWhole(true)
    if (quoted.isCut) askForWhole()
  }
  const cut = isBrief ? 'line-clamp-1' : 'line-clamp-6'
  if (quoted.text === '') return quoted.isDeleted ? <p className="mt-[3px] text-ink-3">{t('deleted')}</p> : null

  return (
    <>
      <blockquote
        dir="auto"
        className={`mt-[3px] max-w-[60ch] font-member text-large wrap-anywhere whitespace-pre-wrap text-ink-2 ${isWhole ? '' : cut}`}
      >
        <CoveredText isFlagged={false}>
          <PlainText>{quoted.text}</PlainText>
        </CoveredText>
      </blockquote>
      {(!isWhole || quoted.isCut) && (
        <Button look="bare" size="small" className="-ms-2.5 mt-1" onPress={showWhole}>
          {ui('showWhole')}
        </Button>
      )}
    </>
  )
}
