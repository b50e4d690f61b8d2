'use client'
import type { RefObject } from 'react'
import { useTranslations } from 'use-intl'
import type { QueueSearch } from '#components/kit/addresses/queue-search.ts'
import { ZonePicker } from '#components/kit/zones/zone-picker.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import { AddEditor } from './add-editor.tsx'
import { AuthorEditor } from './author-editor.tsx'
import { CommunityEditor } from './community-editor.tsx'
import type { Edited, FilterEditing } from './filter-editing.ts'
import { HeldForEditor } from './held-for-editor.tsx'
import { KindEditor } from './kind-editor.tsx'
import { LabelEditor } from './label-editor.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { SignalEditor } from './signal-editor.tsx'
import { TextEditor } from './text-editor.tsx'
import { WrittenEditor } from './written-editor.tsx'

interface FilterPopoverProps {
  edited: Edited
  editing: FilterEditing
  triggerRef: RefObject<HTMLButtonElement | null>
}

/** The popover that edits one filter; a selection closes it and narrows the queue. */
export function FilterPopover({ edited, editing, triggerRef }: FilterPopoverProps) {
  const t = useTranslations('filters.titles')
  return (
    <Popover trigger={{ triggerRef, onClose: editing.close }} label={t(edited)} className="min-w-60">
      <Editor key={edited} edited={edited} editing={editing} />
    </Popover>
  )
}

function Editor({ edited, editing }: Pick<FilterPopoverProps, 'edited' | 'editing'>) {
  const { zone, narrow } = useQueueFilter()
  const choose = (changed: Partial<QueueSearch>) => {
    editing.close()
    narrow(changed)
  }
  switch (edited) {
    case 'add':
      return <AddEditor onChoose={choose} onEdit={editing.edit} />
    case 'text':
      return <TextEditor onChoose={choose} />
    case 'communityId':
      return <CommunityEditor onChoose={choose} />
    case 'kind':
      return <KindEditor onChoose={choose} />
    case 'author':
      return <AuthorEditor onChoose={choose} />
    case 'written':
      return <WrittenEditor onChoose={choose} />
    case 'zone':
      return <ZonePicker chosen={zone} onChoose={(timeZone) => choose({ timeZone })} />
    case 'heldFor':
      return <HeldForEditor onChoose={choose} />
    case 'rule':
      return <RuleEditor onChoose={choose} />
    case 'label':
      return <LabelEditor onChoose={choose} />
    case 'signal':
      return <SignalEditor onChoose={choose} />
  }
}
