'use client'
import { useTranslations } from 'use-intl'
import { Choices } from '#components/ui/choices.tsx'
import type { BanSpace } from '#server/modules/spaces/sanctions/schema.ts'
import { spaceKey, useSpaceName } from './space-name.ts'

interface SpaceChoicesProps<Choice> {
  /** Undefined while they are read. */
  choices: Choice[] | undefined
  /** Undefined where there is none. */
  chosen: Choice | undefined
  isError: boolean
  words: (key: 'readingSpaces' | 'notRead' | 'nowhere') => string
  /** What is in force there. */
  hintOf: (choice: Choice) => string | undefined
  onChoose: (chosenKey: string) => void
}

/** The spaces in which the moderator may do something to a person. */
export function SpaceChoices<Choice extends { space: BanSpace; displayName: string }>({
  choices,
  chosen,
  isError,
  words,
  hintOf,
  onChoose,
}: SpaceChoicesProps<Choice>) {
  const t = useTranslations('ban')
  const spaceName = useSpaceName()
  if (isError) return <p className="text-reject">{words('notRead')}</p>
  if (!choices) return <p className="text-ink-3">{words('readingSpaces')}</p>
  if (!chosen) return <p>{words('nowhere')}</p>
  return (
    <Choices
      legend={t('where')}
      chosen={spaceKey(chosen.space)}
      onChoose={onChoose}
      choices={choices.map((choice) => ({
        id: spaceKey(choice.space),
        label: spaceName(choice),
        hint: hintOf(choice),
      }))}
    />
  )
}
