'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { NoteList } from '#components/kit/review/note-list.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Person } from '#server/modules/people/schema.ts'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'

/** Colleagues' notes about the person. */
export function Notes({ person, onAdd }: { person: Person; onAdd: () => void }) {
  const t = useTranslations('users')
  return (
    <Section title={t('notes')} act={person.allowed.note && <AddNote onPress={onAdd} />}>
      <Paged person={person} name="notes" empty={t('noNotes')}>
        {(items) => <NoteList aboutUserId={person.user.userId} notes={items} />}
      </Paged>
    </Section>
  )
}

function AddNote({ onPress }: { onPress: () => void }) {
  const t = useTranslations('users')
  return (
    <Button
      look="bare"
      size="small"
      className="ms-auto px-1.5! text-small"
      aria-keyshortcuts={useShortcut('note')}
      onPress={onPress}
    >
      {t('addNote')}
      <ActKeycap act="note" className="phone:hidden" />
    </Button>
  )
}
