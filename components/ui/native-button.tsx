'use client'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type MouseEvent,
  use,
  useSyncExternalStore,
} from 'react'

export interface NativeButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'onKeyDown' | 'disabled'> {
  onPress?: (() => void) | undefined
  isDisabled?: boolean | undefined
  /** Keeps the focus, but can't be pressed. */
  isPending?: boolean | undefined
}

/** What the button that opens a popover gets from it. */
export const TriggerContext = createContext<NativeButtonProps>({})

/**
 * A button without a look. It is the browser's own, so that a page needs no script of React Aria before something opens. One that submits a
 * form is disabled until the page's script runs: before that, the browser would send the form itself, also when Enter is pressed in a field.
 */
export function NativeButton(props: NativeButtonProps) {
  return props.type === 'submit' ? <SubmitButton {...props} /> : <BrowserButton {...props} />
}

function SubmitButton({ isDisabled = false, ...props }: NativeButtonProps) {
  const isHydrated = useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  )
  return <BrowserButton {...FORGETS_STATE} {...props} isDisabled={isDisabled || !isHydrated} />
}

/** Firefox would restore, after a reload, that the button was enabled. */
const FORGETS_STATE = { autoComplete: 'off' }

const noChange = () => () => {}

function BrowserButton({ onPress, isDisabled = false, isPending = false, ...props }: NativeButtonProps) {
  const { onPress: openPopover, ...trigger } = use(TriggerContext)

  function press(event: MouseEvent<HTMLButtonElement>): void {
    event.stopPropagation()
    if (isPending) {
      event.preventDefault()
      return
    }
    // Safari doesn't focus a pressed button, and the focus couldn't return to it.
    if (openPopover) event.currentTarget.focus()
    onPress?.()
    openPopover?.()
  }
  return (
    <button
      type="button"
      {...trigger}
      {...props}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      onClick={press}
      onKeyDown={keepKey}
    />
  )
}

/** Keys that press the button have no other effect, and press it once however long they are held down. */
function keepKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' && event.key !== ' ') return
  event.stopPropagation()
  if (event.repeat) event.preventDefault()
}
