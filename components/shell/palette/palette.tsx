'use client'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Dialog } from 'react-aria-components/Dialog'
import { Collection, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Input, TextField } from 'react-aria-components/TextField'
import { useTranslations } from 'use-intl'
import { ShortcutKeys } from '#components/keys/shortcut-keys.tsx'
import { Highlight } from '#components/ui/highlight.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import { type Entry, type Group, useGroups } from './use-groups.tsx'

/** The command palette: opens any page, finds people and spaces, and runs the page's acts from the keyboard. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTranslations('palette')
  const [typed, setTyped] = useState('')
  const { groups, isLooking, hasFailed } = useGroups(typed)

  function run(id: string): void {
    const entry = groups.flatMap(({ entries }) => entries).find((entry) => entry.id === id)
    onClose()
    // Closing restores the focus; the act then moves it on.
    requestAnimationFrame(() => requestAnimationFrame(() => entry?.run()))
  }

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="fixed inset-0 z-10 overflow-auto bg-scrim entering:animate-appear"
    >
      <Modal className="mx-auto mt-22 mb-4 w-[min(560px,calc(100vw-16px))] overflow-hidden rounded-3 bg-raised shadow-pop narrow:mt-12 phone:mt-2 forced-colors:border">
        <Dialog aria-label={t('label')} className="outline-none">
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <TextField
              autoFocus
              aria-label={t('label')}
              className="flex h-12 items-center gap-2.5 border-b border-line-strong px-3.5 text-ink-3 shadow-[inset_0_-2px_var(--focus)]"
            >
              <Search />
              <Input
                maxLength={100}
                placeholder={t('label')}
                className="min-w-0 flex-1 bg-transparent text-large text-ink outline-none placeholder:text-ink-3"
              />
            </TextField>
            <div
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
              tabIndex={0}
              className="ring-inset max-h-[min(480px,calc(100dvh-180px))] overflow-auto phone:max-h-[calc(100dvh-130px)]"
            >
              <ListBox
                aria-label={t('hits')}
                items={groups}
                onAction={(key) => run(String(key))}
                renderEmptyState={() => <p className="px-3.5 py-3">{t(isLooking ? 'looking' : 'nothing')}</p>}
                className="pb-2 outline-none"
              >
                {(group: Group) => (
                  <ListBoxSection id={group.id}>
                    <Header className="mx-3.5 mt-2.5 mb-0.5 text-small font-firm wrap-anywhere text-ink-3">
                      {group.title}
                    </Header>
                    <Collection items={group.entries}>
                      {(entry) => <PaletteRow entry={entry} words={typed.trim()} />}
                    </Collection>
                  </ListBoxSection>
                )}
              </ListBox>
            </div>
          </Autocomplete>
          <PaletteFoot hasFailed={hasFailed} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function PaletteRow({ entry, words }: { entry: Entry; words: string }) {
  return (
    <ListBoxItem
      id={entry.id}
      textValue={entry.name}
      className="mx-1.5 flex h-[34px] cursor-default items-center gap-2.5 rounded-2 px-2 outline-none hover:bg-hover focus:bg-selected focus:[outline-offset:-2px] focus:[outline:var(--ring)] phone:h-11 [&_.lucide]:text-ink-3"
    >
      {({ isFocused }) => (
        <>
          {entry.icon}
          <bdi className="max-w-[60%] shrink-0 truncate text-ink first-letter:uppercase">
            <Highlight words={words}>{entry.name}</Highlight>
          </bdi>
          <bdi className="min-w-0 flex-1 truncate text-small text-ink-3">
            <Highlight words={words}>{entry.about ?? ''}</Highlight>
          </bdi>
          {entry.combo && (
            <span className="flex shrink-0 gap-[3px] phone:hidden">
              <ShortcutKeys combo={entry.combo} />
            </span>
          )}
          {isFocused && !entry.combo && <Keycap className="phone:hidden">Enter</Keycap>}
        </>
      )}
    </ListBoxItem>
  )
}

function PaletteFoot({ hasFailed }: { hasFailed: boolean }) {
  const t = useTranslations('palette')
  return (
    <div className={`border-t border-line px-3.5 py-2 text-small text-ink-3 ${hasFailed ? '' : 'phone:hidden'}`}>
      {hasFailed && (
        <p role="alert" className="pb-1 text-warn">
          {t('failed')}
        </p>
      )}
      <p aria-hidden className="flex flex-wrap items-center gap-1 phone:hidden">
        <Keycap>↑</Keycap>
        <Keycap>↓</Keycap> {t('move')} <Keycap>Enter</Keycap> {t('open')} <Keycap>Esc</Keycap> {t('close')}
      </p>
    </div>
  )
}
