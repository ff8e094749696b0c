import { shownAddress } from '#contract/formats/shown-sender.ts'

/** An address that wraps only after its "@". */
export function AddressText({ address: given }: { address: string }) {
  const address = shownAddress(given)
  const at = address.lastIndexOf('@')
  return (
    <span className="wrap-anywhere">
      {address.slice(0, at - 1)}
      <span className="whitespace-nowrap">{address.slice(at - 1, at + 1)}</span>
      <wbr />
      {address.slice(at + 1)}
    </span>
  )
}
