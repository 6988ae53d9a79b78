import { Button } from "@mantine/core";
import { useEffect, useState } from "react";

/** How long a new button takes no click [ms]: it comes where "Run" was, and a double click is meant for that. */
const REST = 250;

/** Cancels what runs. It stands where the button was that began it. */
export function CancelButton({ onCancel }: { onCancel: () => void }) {
  const [rests, setRests] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRests(false);
    }, REST);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return (
    <Button size="compact-sm" variant="default" onClick={onCancel} disabled={rests} title="Esc">
      Cancel
    </Button>
  );
}
