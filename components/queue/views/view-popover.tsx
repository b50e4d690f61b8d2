'use client'
import { BookmarkPlus, Pencil, Save, Star, StarOff, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { useTranslations } from 'use-intl'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { MENU_ITEM } from '#components/ui/menu-item.ts'
import { Popover } from '#components/ui/popover.tsx'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { matchesView, toViewFilters } from './saved-search.ts'
import { useViewActs, type ViewActs } from './use-view-acts.ts'
import { ViewForm } from './view-form.tsx'

/** Acts on the open view. */
export function ViewPopover({ view, trigger }: { view: SavedView; trigger: PopoverTrigger }) {
  const t = useTranslations('views')
  const { search, zone } = useQueueFilter()
  const acts = useViewActs(trigger.onClose)
  const [asks, setAsks] = useState<'rename' | 'saveAs'>()
  const { viewId } = view

  return (
    <Popover trigger={trigger} label={view.name} className="w-72">
      {asks === undefined && <ViewMenu view={view} acts={acts} onAsk={setAsks} />}
      {asks === 'rename' && (
        <ViewForm
          act={t('rename')}
          name={view.name}
          saving={acts.change}
          onSubmit={({ name }) => acts.change.mutate({ viewId, name })}
        />
      )}
      {asks === 'saveAs' && (
        <ViewForm
          act={t('keep')}
          mayShare
          saving={acts.save}
          onSubmit={(named) => acts.save.mutate({ ...named, filters: toViewFilters(search, zone) })}
        />
      )}
    </Popover>
  )
}

interface ViewMenuProps {
  view: SavedView
  acts: ViewActs
  onAsk: (what: 'rename' | 'saveAs') => void
}

function ViewMenu({ view, acts, onAsk }: ViewMenuProps) {
  const t = useTranslations('views')
  const { search, zone } = useQueueFilter()
  const { viewId, isDefault, isShared, mayChange, mayMakeDefault } = view
  const isChanged = !matchesView(search, view)
  const whose = isShared ? 'everyones' : 'own'
  const hasFailed = acts.change.isError || acts.setDefault.isError || acts.remove.isError

  return (
    <>
      <Menu aria-label={view.name} autoFocus="first" className="p-1.5 outline-none">
        {isChanged && mayChange && (
          <Act
            icon={<Save />}
            onAction={() => acts.change.mutate({ viewId, filters: toViewFilters(search, zone) })}
            label={t('keepChanges')}
          />
        )}
        <Act icon={<BookmarkPlus />} onAction={() => onAsk('saveAs')} label={t('saveAs')} />
        {mayChange && <Act icon={<Pencil />} onAction={() => onAsk('rename')} label={t('rename')} />}
        {mayMakeDefault && (
          <Act
            icon={isDefault ? <StarOff /> : <Star />}
            onAction={() => acts.setDefault.mutate({ viewId, isDefault: !isDefault })}
            label={t(isDefault ? `noDefault.${whose}` : `makeDefault.${whose}`)}
          />
        )}
        {mayChange && <Act icon={<Trash2 />} onAction={() => acts.remove.mutate({ viewId })} label={t('delete')} />}
      </Menu>
      {hasFailed && (
        <p role="alert" className="px-3 pb-2 text-reject">
          {t('failed')}
        </p>
      )}
    </>
  )
}

function Act({ icon, label, onAction }: { icon: ReactNode; label: string; onAction: () => void }) {
  return (
    <MenuItem textValue={label} onAction={onAction} className={MENU_ITEM}>
      {icon}
      <span className="text-ink">{label}</span>
    </MenuItem>
  )
}
