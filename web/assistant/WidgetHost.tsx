import { SignedOutWidget } from './SignedOutWidget.tsx'
import { Widget } from './Widget.tsx'

/** The opened widget, for users and for visitors. */
export function WidgetHost({ isSignedIn, onClose }: { isSignedIn: boolean; onClose: () => void }) {
  return isSignedIn ? <Widget onClose={onClose} /> : <SignedOutWidget onClose={onClose} />
}
