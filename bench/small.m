## small.m: statements on small arrays, plain and wrapped, in turn; microseconds, the best of 25 turns.

1;
function cmp (setup, body, n = 3000)
  eval (sprintf ("function t = run1 (w, n)\n %s\n tic; for i = 1:n, %s; end\n t = toc;\nendfunction", setup, body));
  wp = @(x) x; ws = @(x) symarray (x);
  tp = ts = zeros (1, 25);
  run1 (wp, 50); run1 (ws, 50);
  for r = 1:25, tp(r) = run1 (wp, n); ts(r) = run1 (ws, n); end
  e = min (tp) / n * 1e6; s = min (ts) / n * 1e6;
  printf ("%-22s plain %6.3f sym %6.3f diff %6.3f ratio %5.2f (median %5.2f)\n", body, e, s, s - e, s / e, median (ts ./ tp));
endfunction
AB = "A=w(rand(3)); B=w(rand(3)); k = w(0.5); v = w(rand(3,1));";
cmp (AB, "g=A+B");
cmp (AB, "g=0.9*A");
cmp (AB, "g=k*A");
cmp (AB, "g=A+B.*A-B");
cmp (AB, "g=A.^2");
cmp (AB, "g=-A");
cmp (AB, "g=A>0.5");
cmp (AB, "g=A*B");
cmp (AB, "g=A*v");
cmp (AB, "g=A'");
cmp (AB, "g=A'*B");
cmp (AB, "g=exp(A)");
cmp (AB, "g=sum(A)");
cmp (AB, "g=max(A)");
cmp (AB, "g=norm(v)");
cmp (AB, "g=A(2,:)");
cmp (AB, "g=A(2)");
cmp (AB, "g=[A;B]");
cmp (AB, "g=[k;k]");
cmp (AB, "A(2)=3");
cmp (AB, "A(2,:)=1");
cmp (AB, "if A(2)>3, end");
cmp (AB, "g=A/B");
cmp (AB, "g=inv(A)");
cmp (AB, "g=k+1");
cmp (AB, "g=k*k+k");
cmp (AB, "g=sqrt(k)");
cmp (AB, "g=exp(k)");
cmp (AB, "g=zeros(3)+A");
cmp (AB, "g=A(:,2)'*v");
cmp (AB, "g=numel(A)");
