'use client'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { MENU_ITEM } from './menu-item.ts'

export interface Choice<Id extends string> {
  id: Id
  label: string
  /** Such as a count, at the end of the line. */
  hint?: ReactNode
}

export interface ChoiceListProps {
  label: string
  choices: Choice<string>[]
  chosen: string | undefined
  /** They do something, and none of them stays chosen. */
  areActs?: boolean
  onChoose: (id: string) => void
}

/** A list that selects one of several, focused as soon as it is shown. */
export function ChoiceList({ label, choices, chosen, areActs = false, onChoose }: ChoiceListProps) {
  return (
    <Menu
      aria-label={label}
      autoFocus="first"
      selectionMode={areActs ? 'none' : 'single'}
      selectedKeys={chosen === undefined ? [] : [chosen]}
      onAction={(key) => onChoose(String(key))}
      items={choices}
      className="p-1.5 outline-none"
    >
      {({ id, label, hint }) => (
        <MenuItem id={id} textValue={label} className={MENU_ITEM}>
          {({ isSelected }) => (
            <>
              <span className="grid size-4 place-items-center">{isSelected && <Check className="size-3.5" />}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
                {label}
              </span>
              {hint && <span className="text-small text-ink-3">{hint}</span>}
            </>
          )}
        </MenuItem>
      )}
    </Menu>
  )
}
