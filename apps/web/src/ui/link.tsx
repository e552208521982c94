import type { ComponentProps, MouseEvent } from 'react';
import { useHref, useNavigate } from 'react-router';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: string;
  replace?: boolean;
}

/**
 * A real link that navigates within the app. Clicks with a modifier are left to the browser. (React Router's own link would pull
 * its framework mode into the first load.)
 */
export function Link({ to, replace = false, onClick, children, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate(to, { replace });
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}
