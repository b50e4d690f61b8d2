'use client'
import { useEffect } from 'react'

/** Puts what is open before the page's own title: for tabs, bookmarks, and the name of a printed file. */
export function useOpenTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return undefined
    let page = ''
    // As the browser reads it back: it trims titles and joins white space, so what was set may never be there.
    let shown: string | undefined
    // The router sets the page's own title after the page is shown.
    function set(): void {
      if (document.title === shown) return
      page = document.title
      document.title = `${name} · ${page}`
      shown = document.title
    }
    set()
    const observer = new MutationObserver(set)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      if (document.title === shown) document.title = page
    }
  }, [name])
}
