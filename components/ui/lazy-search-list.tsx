'use client'
import { lazyPart } from './lazy-part.tsx'

export const loadSearchList = () => import('./search-list.tsx').then(({ SearchList }) => SearchList)

/** A search list for a popover that is part of a page. */
export const LazySearchList = lazyPart(loadSearchList)
