'use client'
import { NativeButton, type NativeButtonProps } from './native-button.tsx'

const SHAPE =
  'inline-flex items-center justify-center gap-1.5 rounded-2 border font-firm whitespace-nowrap transition-colors duration-(--quick) disabled:opacity-55 forced-colors:border-[ButtonText]'

const LOOK = {
  plain: 'border-line-strong bg-raised text-ink hover:bg-hover px-2.5',
  bare: 'border-transparent text-ink-2 hover:bg-hover hover:text-ink px-2.5',
  primary: 'border-accent bg-accent text-on-accent hover:bg-accent-hover px-2.5',
  approve: 'border-approve-edge bg-approve-tint text-approve px-2.5 font-bold hover:border-approve',
  reject: 'border-reject-edge bg-reject-tint text-reject px-2.5 font-bold hover:border-reject',
  icon: 'w-control border-transparent text-ink-2 hover:bg-hover hover:text-ink',
}

const SIZE = {
  desk: 'h-control',
  /** Inside a banner or under a line. */
  small: 'h-[26px] coarse:h-9',
  /** For sign-in forms. */
  large: 'h-9 coarse:h-11 phone:h-11',
}

export interface ButtonProps extends NativeButtonProps {
  look?: keyof typeof LOOK
  size?: keyof typeof SIZE
}

export function Button({ look = 'plain', size = 'desk', className = '', ...rest }: ButtonProps) {
  return <NativeButton {...rest} className={`${SHAPE} ${LOOK[look]} ${SIZE[size]} ${className}`} />
}
