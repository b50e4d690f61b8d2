'use client'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import { comboOf } from '#components/ui/keys.ts'
import { Sheet } from '#components/ui/sheet.tsx'
import { SEND } from './hold-keys.ts'

interface ActFormProps {
  title: string
  submit: string
  look?: 'plain' | 'primary' | 'approve' | 'reject'
  /** Whether the form has a multi-line field, where Enter inserts a line break. */
  isWritten?: boolean
  isPending?: boolean
  /** Why the act failed; field values are kept. */
  failure?: string | undefined
  /** Keys pressed while the form was loading, possibly including the one that submits it. */
  typed?: string[]
  /** Shortcuts pressed outside text fields, as `comboOf` names them. */
  onKey?: (combo: string) => void
  onSubmit: () => void
  onClose: () => void
  acts?: ReactNode
  children: ReactNode
}

const isWriting = (target: EventTarget) =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')
const isPressed = (target: EventTarget) => target instanceof HTMLButtonElement

/** A dialog with the fields of an act. Enter submits it; in multi-line fields, Ctrl Enter does. */
export function ActForm(props: ActFormProps) {
  const t = useTranslations('acts')

  const form = useRef<HTMLFormElement>(null)
  const sendEarly = useEffectEvent(() => {
    const isSent = props.typed?.some((key) => key === SEND || (key === 'Enter' && !props.isWritten))
    if (isSent) form.current?.requestSubmit()
  })
  useEffect(() => {
    sendEarly()
    // Where no field has the focus already: Enter submits from anywhere.
    if (!form.current?.contains(document.activeElement)) form.current?.focus()
  }, [])

  function send(): void {
    if (!props.isPending) props.onSubmit()
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>): void {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    const isSent = event.key === 'Enter' && (event.ctrlKey || event.metaKey || !isWriting(event.target))
    if (isSent && !isPressed(event.target)) {
      event.preventDefault()
      if (!event.repeat) event.currentTarget.requestSubmit()
      return
    }
    const combo = comboOf(event.nativeEvent)
    if (combo !== undefined && !isWriting(event.target)) props.onKey?.(combo)
  }

  return (
    <Sheet title={props.title} isOpen onOpenChange={(isOpen) => isOpen || props.onClose()}>
      <form
        ref={form}
        tabIndex={-1}
        className="outline-none"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <div className="grid grid-cols-1 gap-3.5 px-3.5 pt-2 pb-3.5">
          {props.children}
          {props.failure && <FormError id="act-failure">{props.failure}</FormError>}
        </div>
        <div className="sticky bottom-0 z-1 flex flex-wrap items-center gap-1.5 rounded-b-3 border-t border-line bg-raised px-3.5 py-2.5">
          <Button type="submit" look={props.look ?? 'primary'} isPending={props.isPending ?? false}>
            {props.submit}
            <Keycap className="border-current! bg-transparent! text-current! phone:hidden">
              {t(props.isWritten ? 'ctrlEnter' : 'enter')}
            </Keycap>
          </Button>
          <Button look="bare" onPress={props.onClose}>
            {t('cancel')}
          </Button>
          {props.acts}
        </div>
      </form>
    </Sheet>
  )
}
