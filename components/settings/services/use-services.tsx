'use client'
import { type DataTag, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toRequestError } from '#components/trpc/request-error.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { useDialogs } from '../use-dialogs.tsx'

interface Changed<Service> {
  service: Service
  /** A new one: it is shown from then on. */
  secret?: string | undefined
}

/** The acts on a list of services: their dialogs, and the secret that one of them created. */
export function useServices<Service extends object, Failure>(
  listKey: DataTag<readonly unknown[], Service[], Failure>,
  id: keyof Service,
  errorMessageOf: (error: unknown) => string | undefined,
) {
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const dialogs = useDialogs(errorMessageOf)
  /** It stays on the page until the person confirms that they have saved it. */
  const [shown, setShown] = useState<Changed<Service>>()

  const readAgain = () => queryClient.invalidateQueries({ queryKey: listKey })

  /** Puts what an act answered into the list: the next act is on this version, also before the list is read again. */
  function replace(changed: Service): void {
    queryClient.setQueryData<Service[]>(listKey, (all) => all?.map((one) => (one[id] === changed[id] ? changed : one)))
  }

  /** Announces what was done, and shows what it made of the service. */
  async function done(words: string, changed?: Changed<Service>): Promise<void> {
    if (changed) replace(changed.service)
    if (changed?.secret !== undefined) setShown(changed)
    await readAgain()
    announce(words)
  }

  return {
    ...dialogs,
    done: (...what: Parameters<typeof done>) => void done(...what),
    replace,
    readAgain: () => void readAgain(),
    secretOf: (service: Service) => (shown?.service[id] === service[id] ? shown.secret : undefined),
    forgetSecret: () => setShown(undefined),
  }
}

/** Whether a service was rejected for its address: the dialog says so at that field. */
export const isAboutAddress = (error: unknown): boolean => toRequestError(error).code === 'UNPROCESSABLE_CONTENT'
