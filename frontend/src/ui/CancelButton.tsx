import { Button } from "@mantine/core";
import { useEffect, useState } from "react";

/** Time for which a new button ignores clicks [ms]: it replaces "Run", and a double click was meant for that. */
const REST = 250;

/** Cancels the run. It replaces the button that started it. */
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
