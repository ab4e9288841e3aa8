// Functions that are run once on symarrays without values, and then replayed from what they made.

#include "compat.h"

#include <climits>
#include <sstream>
#include <unordered_map>

#include "convert.h"
#include "origin.h"
#include "purity.h"
#include "rebuild.h"
#include "symarray.h"
#include "trace.h"

namespace symgpu
{
  static const std::size_t max_traces = 16;

  // An array that needs no memory of its own if it is short.
  template <typename T>
  class short_array
  {
  public:

    explicit short_array (std::size_t n) : m_few (), m_many (n > few ? n : 0) { }
    short_array (const short_array&) = delete;
    short_array& operator = (const short_array&) = delete;

    T * data () { return m_many.empty () ? m_few : m_many.data (); }
    T& operator [] (std::size_t i) { return data ()[i]; }

  private:

    static const std::size_t few = 8;

    T m_few[few];
    std::vector<T> m_many;
  };

  static octave_value_list
  gathered (const octave_value_list& list)
  {
    auto f = [] (const octave_value& v) { return unwrap (v); };
    return map_arrays (list, f);
  }

  // ---- while a function is traced -------------------------------------------------------------

  // The holes stand for the arrays of S.
  class tracer
  {
  public:

    explicit tracer (const signature& s);
    tracer (const tracer&) = delete;
    tracer& operator = (const tracer&) = delete;
    ~tracer ();

    // The holes get their values: from now on this is a call like any other.
    void fill ();

    void force (const std::string& where)
    {
      fill ();
      m_forced = where;
    }

    octave_value next_hole () { return octave_value (new octave_symarray (sg_node_ref (m_holes[m_next++]))); }
    const std::vector<sg_node *>& holes () const { return m_holes; }
    const std::vector<sg_buf *>& values () const { return m_values; }
    bool is_filled () const { return m_filled; }
    const std::string& forced () const { return m_forced; }

  private:

    std::vector<sg_node *> m_holes;
    std::vector<sg_buf *> m_values;
    std::size_t m_next = 0;
    bool m_filled = false;
    std::string m_forced;
  };

  tracer::tracer (const signature& s)
  {
    for (const octave_value& v : s.arrays)
      {
        operand a (v);
        sg_node *n = a.node (), *hole;
        check (sg_hole_new (static_cast<sg_class> (n->cls), n->cplx, n->wide, n->nd, n->dim, &hole));
        m_holes.push_back (hole);
        m_values.push_back (sg_buf_ref (n->val));
      }
  }

  tracer::~tracer ()
  {
    for (sg_node *n : m_holes)
      sg_node_unref (n);
    for (sg_buf *b : m_values)
      sg_buf_unref (b);
  }

  void
  tracer::fill ()
  {
    for (std::size_t i = 0; ! m_filled && i < m_holes.size (); i++)
      sg_node_set_value (m_holes[i], sg_buf_ref (m_values[i]));
    m_filled = true;
  }

  static tracer *s_tracer;

  static bool
  has_holes (sg_node *n)
  {
    bool has;
    check (sg_node_has_holes (n, &has));
    return has;
  }

  bool
  is_traced (sg_node *n)
  {
    return s_tracer && ! s_tracer->is_filled () && ! n->val && has_holes (n);
  }

  void
  looking_at (int n, sg_node *const *nodes)
  {
    for (int i = 0; i < n; i++)
      if (is_traced (nodes[i]))
        {
          set_origin ();
          std::string place = origin_text (sg_origin);
          s_tracer->force ("a value that depends on the arguments is looked at"
                           + (place.empty () ? place : ", at " + place));
        }
  }

  // ---- a trace --------------------------------------------------------------------------------

  // What an array of the results is: a constant, or the output of this number, or -1 less the
  // number of an argument that is returned.  NESTED: it is a cell or a struct, of such.
  enum { constant = INT_MIN, nested };

  class trace
  {
  public:

    trace (const signature& s, octave_value_list results, tracer& t);
    trace (const trace&) = delete;
    trace& operator = (const trace&) = delete;
    ~trace () { sg_function_free (m_function); }

    // The results for other arrays of the same kinds.
    octave_value_list replay (const signature& s);
    // The two compute the same.
    bool is_same (const trace& t) const;
    bool is_for (const signature& s) const { return m_words == s.words; }
    // Found twice.
    bool is_proved () const { return m_proved; }
    void prove ()
    {
      m_proved = true;
      m_calls++;
    }
    std::string line () const;

  private:

    void number_results ();
    void make_function (tracer& t);
    void run (sg_buf *const *in, sg_buf **out);
    void run_otherwise (sg_buf *const *in, sg_buf **out);
    int code_of (const octave_value& v) const;

    std::vector<uint64_t> m_words;
    std::vector<octave_value> m_held;
    std::string m_inputs;                // what lines tell of them
    octave_value_list m_results;         // their arrays are symarrays where they are computed
    std::vector<int> m_codes;            // of each result
    // And of the node of each such symarray.
    std::unordered_map<const sg_node *, int> m_code;
    std::vector<sg_node *> m_roots;      // of the outputs, borrowed from the results
    std::vector<dim_vector> m_dims;
    std::vector<sg_node *> m_outs;       // their copies in the function
    sg_function *m_function = nullptr;
    bool m_proved = false;
    long m_calls = 0;
  };

  trace::trace (const signature& s, octave_value_list results, tracer& t)
    : m_words (s.words), m_held (s.held), m_results (results)
  {
    for (std::size_t i = 0; i < t.holes ().size (); i++)
      m_code[t.holes ()[i]] = -1 - static_cast<int> (i);
    number_results ();
    for (const sg_node *n : t.holes ())
      m_inputs += ((m_inputs.empty () ? "" : ", ") + dims_of_node (n).str () + " "
                   + sg_class_name (static_cast<sg_class> (n->cls)));
    if (! m_roots.empty ())
      make_function (t);
  }

  // Which results are computed; the others are constants.
  void
  trace::number_results ()
  {
    auto f = [this] (const octave_value& v) -> octave_value
    {
      const octave_symarray *a = as_symarray (v);
      if (! a)
        return v;
      sg_node *n = a->node ();
      if (m_code.find (n) == m_code.end ())
        {
          if (n->val || ! has_holes (n))
            return unwrap (v);
          m_code[n] = m_roots.size ();
          m_roots.push_back (n);
          m_dims.push_back (dims_of_node (n));
        }
      return v;
    };
    m_results = map_arrays (m_results, f);
    for (octave_idx_type i = 0; i < m_results.length (); i++)
      {
        const octave_value v = m_results(i);
        m_codes.push_back (v.iscell () || v.isstruct () ? static_cast<int> (nested) : code_of (v));
      }
  }

  void
  trace::make_function (tracer& t)
  {
    rebuilder copies (true);
    for (sg_node *n : m_roots)
      m_outs.push_back (copies.copy (n));
    check (sg_function_new (t.holes ().size (), t.holes ().data (), t.values ().data (),
                            m_outs.size (), m_outs.data (), &m_function));
  }

  int
  trace::code_of (const octave_value& v) const
  {
    const octave_symarray *a = as_symarray (v);
    return a ? m_code.at (a->node_get ()) : static_cast<int> (constant);
  }

  // On another backend, or where the plan does not fit the values.
  void
  trace::run_otherwise (sg_buf *const *in, sg_buf **out)
  {
    sg_function_fill (m_function, in);
    try
      {
        rebuilder copies (true);
        std::vector<sg_node *> roots;
        for (sg_node *n : m_outs)
          roots.push_back (copies.copy (n));
        evaluate (roots.size (), roots.data ());
        for (std::size_t i = 0; i < roots.size (); i++)
          out[i] = sg_buf_ref (roots[i]->val);
      }
    catch (...)
      {
        sg_function_fill (m_function, nullptr);
        throw;
      }
    sg_function_fill (m_function, nullptr);
  }

  void
  trace::run (sg_buf *const *in, sg_buf **out)
  {
    sg_status s = sg_function_run (m_function, current_backend, in, out);
    if (s == SG_DELEGATE)
      run_otherwise (in, out);
    else
      check (s);
  }

  // Buffers on the arrays of a call, for its time.  A device may keep its copy of a value with the
  // buffer, so there it has an owner; else it is only lent.
  class call_values
  {
  public:

    explicit call_values (const signature& s)
      : m_n (s.arrays.size ()), m_owns (current_backend != SG_CPU), m_room (m_n), m_in (m_n)
    {
      for (std::size_t i = 0; i < m_n; i++)
        {
          const octave_symarray *a = as_symarray (s.arrays[i]);
          if (a)
            m_in[i] = sg_buf_ref (a->node ()->val);
          else
            take (i, s.arrays[i]);
        }
    }

    call_values (const call_values&) = delete;
    call_values& operator = (const call_values&) = delete;

    ~call_values ()
    {
      for (std::size_t i = 0; i < m_n; i++)
        if (m_in[i] && number_of (m_in[i]) < 0)
          sg_buf_unref (m_in[i]);
    }

    sg_buf ** in () { return m_in.data (); }

    // The number of the array that is lent as B, -1 if B has an owner.
    int number_of (const sg_buf *b)
    {
      sg_buf *room = m_room.data ();
      return m_n > 0 && b >= room && b < room + m_n ? static_cast<int> (b - room) : -1;
    }

  private:

    void take (std::size_t i, const octave_value& v)
    {
      const plain_type& t = plain_type_of (v.type_id ());
      if (m_owns)
        {
          m_in[i] = buf_of_value (v, t);
          return;
        }
      const octave_base_value& rep = v.get_rep ();
      sg_buf& b = m_room[i];
      b.refs = 1;
      b.cls = static_cast<sg_class> (t.cls);
      b.cplx = t.cplx;
      b.data = const_cast<void *> (rep.mex_get_data ());
      b.bytes = (sg_class_bytes (b.cls) << t.cplx) * rep.numel ();
      m_in[i] = &b;
    }

    std::size_t m_n;
    bool m_owns;
    short_array<sg_buf> m_room;
    short_array<sg_buf *> m_in;
  };

  // New references, for as long as this lives.
  class call_results
  {
  public:

    explicit call_results (std::size_t n) : m_n (n), m_out (n) { }
    call_results (const call_results&) = delete;
    call_results& operator = (const call_results&) = delete;
    ~call_results ()
    {
      for (std::size_t i = 0; i < m_n; i++)
        sg_buf_unref (m_out[i]);
    }

    sg_buf ** out () { return m_out.data (); }

  private:

    std::size_t m_n;
    short_array<sg_buf *> m_out;
  };

  octave_value_list
  trace::replay (const signature& s)
  {
    m_calls++;
    call_values values (s);
    call_results results (m_outs.size ());
    if (m_function)
      run (values.in (), results.out ());
    auto value = [&] (const octave_value& v, int code) -> octave_value
    {
      if (code == constant)
        return v;
      octave_value r;
      if (code < 0)
        r = s.arrays[-1-code];
      else
        {
          int k = values.number_of (results.out ()[code]);
          r = (k < 0 ? value_of_buf (results.out ()[code], m_dims[code])
               : s.arrays[k].reshape (m_dims[code]));
        }
      return s.has_symarray ? wrap (unwrap (r)) : r;
    };
    octave_idx_type n = m_results.length ();
    octave_value_list list (n);
    for (octave_idx_type i = 0; i < n; i++)
      if (m_codes[i] != nested)
        list(i) = value (m_results(i), m_codes[i]);
      else
        {
          auto f = [&] (const octave_value& v) { return value (v, code_of (v)); };
          list(i) = map_arrays (m_results(i), f);
        }
    return list;
  }

  // ---- comparing --------------------------------------------------------------------------------

  // All that a list of results is, but for the values that are computed.
  static void
  add_results (signature& s, const octave_value_list& list)
  {
    for (octave_idx_type i = 0; i < list.length (); i++)
      if (list(i).is_defined ())
        {
          auto f = [&s] (const octave_value& v) -> octave_value
          {
            if (as_symarray (v))
              return v;
            octave_value full = v.full_value ();
            std::size_t bytes = full.byte_size ();
            add_text (s, full.class_name ()
                      + std::string (static_cast<const char *> (full.mex_get_data ()), bytes));
            add_text (s, full.dims ().str ());
            return v;
          };
          octave_value v = list(i);
          map_arrays (v, f);
        }
  }

  bool
  trace::is_same (const trace& t) const
  {
    signature a, b;
    add_results (a, m_results);
    add_results (b, t.m_results);
    std::vector<int> ca, cb;
    const trace *of[2] = { this, &t };
    std::vector<int> *codes[2] = { &ca, &cb };
    for (int k = 0; k < 2; k++)
      {
        auto f = [&] (const octave_value& v) -> octave_value
        {
          codes[k]->push_back (of[k]->code_of (v));
          return v;
        };
        map_arrays (of[k]->m_results, f);
      }
    return (a.words == b.words && ca == cb && ! m_function == ! t.m_function
            && (! m_function || sg_function_same (m_function, t.m_function)));
  }

  std::string
  trace::line () const
  {
    std::ostringstream os;
    os << "(" << m_inputs << "): " << (m_function ? sg_function_nodes (m_function) : 0)
       << " nodes, called " << m_calls << (m_calls == 1 ? " time" : " times");
    return os.str ();
  }

  // ---- the function --------------------------------------------------------------------------------

  traced_function::traced_function (const octave_value& fcn)
    : m_fcn (fcn), m_reason (find_impurity (fcn))
  { }

  traced_function::~traced_function () = default;

  std::vector<std::string>
  traced_function::lines () const
  {
    std::vector<std::string> list;
    for (const auto& t : m_traces)
      list.push_back (t->line ());
    return list;
  }

  octave_value_list
  traced_function::call_as_it_is (const octave_value_list& args, int nargout)
  {
    if (! m_told && ! m_reason.empty ())
      {
        m_told = true;
        warning_with_id ("symgpu:not-replayed",
                         "symfunction: the function is called as it is: %s", m_reason.c_str ());
      }
    return interpreter ().feval (m_fcn, args, nargout);
  }

  std::unique_ptr<trace> *
  traced_function::find (const signature& s)
  {
    for (std::size_t k = 0; k < m_traces.size (); k++)
      if (m_traces[k]->is_for (s))
        {
          if (k > 0)
            std::swap (m_traces[k], m_traces[0]);
          return &m_traces[0];
        }
    return nullptr;
  }

  void
  traced_function::keep (std::unique_ptr<trace> t)
  {
    m_traces.insert (m_traces.begin (), std::move (t));
    if (m_traces.size () > max_traces)
      m_traces.pop_back ();
  }

  void
  traced_function::give_up (const std::string& reason)
  {
    m_reason = reason;
    m_traces.clear ();
  }

  // The class of a result that no trace can make again; empty if there is none.
  static std::string
  foreign_class (const octave_value_list& list)
  {
    signature s;
    auto f = [] (const octave_value&) { return octave_value (0.0); };
    for (octave_idx_type i = 0; i < list.length (); i++)
      if (list(i).is_defined ())
        add_value (s, map_arrays (octave_value (list(i)), f));
    return ! s.held.empty () ? "function_handle" : s.unsupported;
  }

  // Run it once on holes.
  octave_value_list
  traced_function::record (const signature& s, const octave_value_list& args, int nargout)
  {
    tracer t (s);
    auto f = [&t] (const octave_value&) { return t.next_hole (); };
    octave_value_list holes = map_arrays (args, f);
    octave_value_list r;
    {
      octave::unwind_protect_var<tracer *> restore (s_tracer, &t);
      r = interpreter ().feval (m_fcn, holes, nargout);
    }
    std::string other = foreign_class (r);
    if (! t.is_filled () && other.empty ())
      {
        std::unique_ptr<trace> made (new trace (s, r, t));
        r = made->replay (s);
        std::unique_ptr<trace> *known = find (s);
        if (! known)
          keep (std::move (made));
        else if (made->is_same (**known))
          (*known)->prove ();
        else
          give_up ("two calls with arguments of the same sizes do different things");
        return r;
      }
    give_up (t.is_filled () ? t.forced () : "it returns a value of class " + other);
    t.fill ();
    return s.has_symarray ? r : gathered (r);
  }

  octave_value_list
  traced_function::call (const octave_value_list& args, int nargout)
  {
    // Within another trace it is a part of that.
    if (s_tracer || ! m_reason.empty ())
      return call_as_it_is (args, nargout);
    // Whatever happens, nothing of the call is held.
    octave::unwind_action forget ([this] () { m_signature.clear (); });
    signature& s = m_signature;
    s.clear ();
    describe (s, args, nargout);
    if (! s.unsupported.empty ())
      {
        give_up ("an argument is of class " + s.unsupported);
        return call_as_it_is (args, nargout);
      }
    std::unique_ptr<trace> *t = find (s);
    if (t && (*t)->is_proved ())
      return (*t)->replay (s);
    const signature kept = s;
    octave_value_list r = record (kept, args, nargout);
    if (! m_reason.empty () && ! m_told)
      {
        m_told = true;
        warning_with_id ("symgpu:not-replayed",
                         "symfunction: the function is called as it is: %s", m_reason.c_str ());
      }
    return r;
  }
}
