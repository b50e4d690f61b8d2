import { Highlight } from '#components/ui/highlight.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import { CoveredText } from '../wellness/covered-text.tsx'

interface FoundTextProps {
  title?: string | undefined
  text: string
  found: { field: 'title' | 'text'; from: number; to: number }[]
}

/** A member's text, with what a rule found in it marked. */
export function FoundText({ title, text, found }: FoundTextProps) {
  const inField = (field: 'title' | 'text') => found.filter((one) => one.field === field)
  return (
    <blockquote dir="auto" className="font-member wrap-anywhere whitespace-pre-wrap text-ink">
      <CoveredText isFlagged={false}>
        {title && (
          <span className="block font-bold">
            <Highlight words={null} found={inField('title')}>
              {title}
            </Highlight>
          </span>
        )}
        <PlainText found={inField('text')}>{text}</PlainText>
      </CoveredText>
    </blockquote>
  )
}
