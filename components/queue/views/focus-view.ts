import { afterFrames } from '#components/ui/after-paint.ts'

/** Ids of the buttons of the open view, and of one that isn't saved yet: either is in the place of the other. */
export const OPEN_VIEW = 'open-view'
export const SAVE_VIEW = 'save-view'

/** Once a view was saved or deleted, the button that began it is gone: the one in its place has the focus, unless that is elsewhere by now. */
export async function focusView(): Promise<void> {
  await afterFrames(2)
  if (document.activeElement !== document.body) return
  const button = document.getElementById(OPEN_VIEW) ?? document.getElementById(SAVE_VIEW)
  button?.focus()
}
