'use client'
import {
  Building2,
  CalendarRange,
  Flag,
  Gauge,
  Hourglass,
  Image,
  MessagesSquare,
  ScrollText,
  Tag,
  TextSearch,
  UserRound,
} from 'lucide-react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { MENU_ITEM } from '#components/ui/menu-item.ts'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import type { Edited, EditorProps } from './filter-editing.ts'

const PARTS = [
  { id: 'text', icon: TextSearch },
  { id: 'communityId', icon: Building2 },
  { id: 'kind', icon: MessagesSquare },
  { id: 'author', icon: UserRound },
  { id: 'written', icon: CalendarRange },
  { id: 'heldFor', icon: Hourglass },
  { id: 'rule', icon: ScrollText },
  { id: 'label', icon: Tag },
  { id: 'signal', icon: Gauge },
] as const satisfies { id: Edited; icon: unknown }[]
const OF_REPORTS = PARTS.filter(({ id }) => id === 'communityId' || id === 'kind')
const SWITCHES = [
  { id: 'hasMedia', icon: Image },
  { id: 'isFlagged', icon: Flag },
] as const

/** Selects a filter to add. Filters without a value are applied immediately. */
export function AddEditor({ onChoose, onEdit }: EditorProps & { onEdit: (part: Edited) => void }) {
  const t = useTranslations('filters.titles')
  const { search } = useQueueFilter()
  const isReported = search.view === 'reported'
  const offered = isReported ? OF_REPORTS : [...PARTS, ...SWITCHES.filter(({ id }) => !search[id])]

  function act(id: string): void {
    const part = PARTS.find((one) => one.id === id)
    if (part) onEdit(part.id)
    else onChoose({ [id]: true })
  }
  return (
    <Menu aria-label={t('add')} autoFocus="first" onAction={(key) => act(String(key))} className="p-1.5 outline-none">
      {offered.map(({ id, icon: Icon }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={t(id === 'kind' && isReported ? 'kindReported' : id)}
          className={MENU_ITEM}
        >
          <Icon />
          <span className="flex-1 text-ink">{t(id === 'kind' && isReported ? 'kindReported' : id)}</span>
          {id === 'text' && <ActKeycap act="search" />}
          {id === 'written' && <ActKeycap act="dates" />}
        </MenuItem>
      ))}
    </Menu>
  )
}
