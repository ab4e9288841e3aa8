// The type: a function that is traced once and replayed.

#if ! defined (symgpu_symfunction_h)
#define symgpu_symfunction_h 1

#include <memory>

#include "compat.h"
#include "trace.h"

class octave_symfunction : public octave_base_value
{
public:

  octave_symfunction () = default;
  explicit octave_symfunction (const octave_value& fcn)
    : m_f (new symgpu::traced_function (fcn))
  { }
  octave_symfunction (const octave_symfunction& f) = default;
  octave_symfunction& operator = (const octave_symfunction&) = delete;

  static int s_type_id;
  static void register_type (octave::type_info& ti);

  octave_base_value * clone () const override { return new octave_symfunction (*this); }
  octave_base_value * empty_clone () const override { return new octave_symfunction (); }
  int type_id () const override { return s_type_id; }
  std::string type_name () const override { return "symfunction"; }
  std::string class_name () const override { return "symfunction"; }

  bool is_defined () const override { return true; }
  bool is_constant () const override { return true; }
  dim_vector dims () const override { return dim_vector (1, 1); }

  octave_value subsref (const std::string& type,
                        const std::list<octave_value_list>& idx) override;
  octave_value_list subsref (const std::string& type,
                             const std::list<octave_value_list>& idx, int nargout) override;

  void print (std::ostream& os, bool pr_as_read_syntax = false) override;
  void print_raw (std::ostream& os, bool pr_as_read_syntax = false) const override;
  bool print_name_tag (std::ostream& os, const std::string& name) const override;

  // What is saved is the function; it is traced anew.
  bool save_ascii (std::ostream& os) override;
  bool load_ascii (std::istream& is) override;
  bool save_binary (std::ostream& os, bool save_as_floats) override;
  bool load_binary (std::istream& is, bool swap, octave::mach_info::float_format fmt) override;
  bool save_hdf5 (octave_hdf5_id loc_id, const char *name, bool save_as_floats) override;
  bool load_hdf5 (octave_hdf5_id loc_id, const char *name) override;

private:

  octave_base_value& handle () const
  { return const_cast<octave_base_value&> (m_f->fcn ().get_rep ()); }

  // Copies share their traces.
  std::shared_ptr<symgpu::traced_function> m_f;
};

#endif
