'use client'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslations } from 'use-intl'
import { Button } from './button.tsx'

/** A sheet over the page; `Escape`, its cross and a press outside close it. */
export function Sheet(props: {
  title: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}) {
  const t = useTranslations('shell')
  return (
    <ModalOverlay
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      isDismissable
      // What gets the focus isn't left under the bar of buttons at the end of a form.
      className="sheet fixed inset-0 z-10 scroll-pb-18 overflow-auto bg-scrim entering:animate-appear"
    >
      <Modal className="mx-auto mt-22 mb-4 w-[min(500px,calc(100vw-16px))] rounded-3 bg-raised shadow-pop phone:mt-2 tablet-low:mt-2 forced-colors:border">
        <Dialog className="outline-none">
          <div className="flex items-center gap-2 px-3.5 pt-2.5">
            <Heading slot="title" className="text-large font-bold text-ink">
              {props.title}
            </Heading>
            <Button look="icon" className="ms-auto" aria-label={t('close')} onPress={() => props.onOpenChange(false)}>
              <X />
            </Button>
          </div>
          {props.children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
