'use client'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Menu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Floating } from './floating.tsx'

export interface Choice<Id extends string> {
  id: Id
  label: string
  /** Such as a count, at the end of the line. */
  hint?: ReactNode
}

/** One of several, chosen from a menu that hangs from `children`. */
export function ChoiceMenu<Id extends string>(props: {
  label: string
  choices: Choice<Id>[]
  chosen: Id
  onChoose: (id: Id) => void
  children: ReactNode
}) {
  return (
    <MenuTrigger>
      {props.children}
      <Floating className="max-h-[min(420px,70vh)] min-w-52">
        <Menu
          aria-label={props.label}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[props.chosen]}
          onAction={(key) => props.onChoose(key as Id)}
          items={props.choices}
          className="p-1.5"
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
      </Floating>
    </MenuTrigger>
  )
}

export const MENU_ITEM =
  'flex h-8 cursor-default items-center gap-2 rounded-2 px-2 text-ink-2 outline-none coarse:h-10 focus:bg-selected focus:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus'
