/** The logo: a register with its margin line. */
export function Brand({ nameClass = '' }: { nameClass?: string }) {
  return (
    <>
      <svg
        viewBox="0 0 18 20"
        width="18"
        height="20"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeLinecap="square"
      >
        <path d="M3 1.5v17" stroke="var(--age-3)" strokeWidth="3" />
        <path d="M8 4.5h9M8 10h9M8 15.5h5" strokeWidth="2" />
      </svg>
      <span className={nameClass}>Docket</span>
    </>
  )
}
