import type { Classifier } from '#server/modules/integrations/classifiers/schema.ts'

export type ClassifierAct = 'change' | 'replace' | 'remove'

/** Props of every dialog about a classifier. */
export interface ClassifierDialogProps {
  onClose: () => void
  /** Announces what was done, and shows what it made of the classifier; a secret is shown from then on. */
  onDone: (words: string, done?: { classifier: Classifier; secret?: string }) => void
}
