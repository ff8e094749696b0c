import { useEffect, useEffectEvent } from 'react'
import { useAddressQuery } from '#web/platform/address.ts'

/** `?import=1` in the address opens the file chooser once and is then removed. */
export function useImportWish(choose: () => void): void {
  const [address, setAddress] = useAddressQuery()
  const wanted = address.has('import')
  const fulfil = useEffectEvent(() => {
    setAddress(
      (before) => {
        before.delete('import')
        return before
      },
      { replace: true },
    )
    choose()
  })
  useEffect(() => {
    if (wanted) fulfil()
  }, [wanted])
}
