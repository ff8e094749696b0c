import { Clause, LegalPage, Points } from './LegalPage.tsx'

export function ReturnsPage() {
  return (
    <LegalPage title="Return & Refund Policy">
      <Clause title="New customers">
        <p>New customers get a full refund within 30 days of their first payment.</p>
      </Clause>
      <Clause title="After that">
        <p>
          Subscriptions are billed monthly or annually in advance and are non-refundable except as required by
          law. Cancellation takes effect at the end of the billing period.
        </p>
      </Clause>
      <Clause title="When the service was down">
        <p>Downtime above 24 consecutive hours is eligible for a refund.</p>
      </Clause>
      <Clause title="How long it takes">
        <p>A request is reviewed in 2-3 business days. The refund then arrives in 5-10 business days:</p>
        <Points>
          <li>Card: 5-10 business days</li>
          <li>PayPal: 3-5 business days</li>
          <li>Bank transfer: 7-14 business days</li>
        </Points>
      </Clause>
      <Clause title="Credits">
        <p>Service credits expire after 12 months and are not paid out.</p>
      </Clause>
      <Clause title="Prices and data">
        <p>A change of price is announced 30 days ahead. Data is retained for 30 days after cancellation.</p>
      </Clause>
      <Clause title="Asking for a refund">
        <p>Write to support, Monday to Friday, 9:00 AM to 6:00 PM EST, from the address of your account.</p>
      </Clause>
    </LegalPage>
  )
}
