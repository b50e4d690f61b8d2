'use client'
import { createContext, use } from 'react'

interface Zone {
  zone: string
  ownZone: string
}

export const ZoneContext = createContext<Zone>({ zone: 'UTC', ownZone: 'UTC' })

/** The zone in force: the link's, else the person's. */
export const useZone = () => use(ZoneContext)
