import { Ellipsis, ExternalLink, Link2Off, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { CopyButton } from '#web/platform/ui/CopyButton.tsx'
import { Menu } from '#web/platform/ui/Menu.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** The link to the customer's page: copy, open, replace it, turn it off. */
export function CustomerLink({ invoice: { id, kind } }: { invoice: Invoice }) {
  const { data } = useEndpoint(invoiceMail.link, { params: { id } })
  const [isAsking, setAsking] = useState(false)
  const change = useCommand(invoiceMail.changeLink, {
    refreshes: [invoiceMail.link, invoiceMail.proposal],
    onSuccess: (_, { body }) => {
      setAsking(false)
      if (body?.change === 'new') toast.success('The link is a new one. Earlier links no longer work.')
      else if (body?.change === 'on') toast.success('The link works again')
      else toast.success('The link is turned off', { undo: () => turn('on') })
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to change the link')),
  })
  const turn = (to: 'on' | 'off' | 'new') => change.mutate({ params: { id }, body: { change: to } })
  if (data === undefined) return null
  return (
    <section aria-label="Customer’s page" className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-medium">Customer’s page</h3>
      {data.url === null ? (
        <>
          <p className="mt-1 mb-2.5 text-sm text-ink-2">The link is turned off: nobody can open it.</p>
          <Button size="s" busy={change.isPending} onClick={() => turn('on')}>
            Turn on
          </Button>
        </>
      ) : (
        <>
          <p className="mt-1 mb-2.5 text-sm text-ink-2">
            {data.reachable
              ? kind === 'quote'
                ? 'Whoever has this link sees the quote, and can accept or decline it.'
                : 'Whoever has this link sees the document and how to pay it.'
              : 'This link leads to the machine that Howl runs on, where nobody else can open it. Emails leave it out.'}
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <CopyButton text={data.url} what="link" />
            <a href={data.url} target="_blank" rel="noreferrer" className={buttonClass('quiet', 's')}>
              <ExternalLink aria-hidden className="size-3.5" />
              Open
            </a>
            <Menu
              label="More actions, customer’s page"
              trigger={<Ellipsis aria-hidden className="size-4" />}
              entries={[
                {
                  kind: 'action',
                  label: 'New link',
                  icon: <RefreshCw aria-hidden />,
                  onSelect: () => setAsking(true),
                },
                {
                  kind: 'action',
                  label: 'Turn off',
                  icon: <Link2Off aria-hidden />,
                  onSelect: () => turn('off'),
                },
              ]}
              className="grid size-8 place-items-center rounded-md text-ink-2 hover:bg-sunken hover:text-ink pointer-coarse:size-11"
            />
          </div>
        </>
      )}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Make a new link?"
        action="New link"
        busy={change.isPending}
        error={null}
        onConfirm={() => turn('new')}
      >
        The link that you have sent then no longer works. Please send the new one to your customer.
      </ConfirmDialog>
    </section>
  )
}
