'use client'
import { lazyPart } from '#components/ui/lazy-part.tsx'

/** Also loaded with the form that creates the secret: a secret that can't be shown is lost. */
export const loadSecretDialog = () => import('./secret-dialog.tsx').then(({ SecretDialog }) => SecretDialog)

export const LazySecretDialog = lazyPart(loadSecretDialog)
