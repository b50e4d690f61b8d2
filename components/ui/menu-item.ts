/** The look of an item in a menu or a floating list. */
export const MENU_ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-2 px-2 text-ink-2 outline-none coarse:min-h-10 focus:bg-selected focus:text-ink focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus'
